#pragma once
void add_offset(int* device);
int host_side(int value);
