// Wine before version 9 lacks this library, of which Rust's standard library uses one function since version 1.78. Windows has
// it; scripts/test-platforms builds it for such a Wine alone.
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID place, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE place, SIZE_T length) {
    return SystemFunction036(place, (ULONG)length);
}
