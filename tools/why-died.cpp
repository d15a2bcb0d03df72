// The command line: options, one call, print, exit status.
int main() { return 0; }
