/* The header is all there is: bridgecast.h declares what BridgecastABI defines. */
#include "include/bridgecast.h"
