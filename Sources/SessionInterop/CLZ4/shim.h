// The system's LZ4 block codec: what `.jsonlz4` files need.
#include <lz4.h>
