#pragma once

#include <thrust/system/cpp/pointer.h>
