// @count: threads
// @warp(cooperative)
// @after: end()
// @time: cycles /* )
__global__ void g() { return; }
#endif
#else /* open \
// @warp */
