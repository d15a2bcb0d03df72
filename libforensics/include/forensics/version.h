// The version of the library; the build reads it from here and from nowhere else.
#pragma once

#define FORENSICS_VERSION "0.1.0"
