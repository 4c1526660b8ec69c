#define _GNU_SOURCE 1
#include "CPcap.h"
