// The one door to OpenBLAS: used by BridgecastEngine/Compute/BLAS.swift and by nothing else.
#include <cblas.h>
