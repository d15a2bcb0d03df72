// Linked to the libraries of why-died and calls none of them: the loader's share of a start.
int main() {}
