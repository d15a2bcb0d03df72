// Everything at once.
#pragma once

#include "forensics/error.h"
#include "forensics/event.h"
#include "forensics/host.h"
#include "forensics/report.h"
#include "forensics/rules.h"
#include "forensics/store.h"
#include "forensics/timeline.h"
#include "forensics/verdict.h"
#include "forensics/version.h"
#include "forensics/walk.h"
