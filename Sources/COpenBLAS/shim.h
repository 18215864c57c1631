// The one door to OpenBLAS: used by BridgecastEngine/Compute/BLAS.swift and its tests only.
#include <cblas.h>
