# The emulator's libraries for kernels that are compiled under a sanitizer: lockstep::simt_asan and lockstep::simt_tsan.
# Who links one of them compiles with the right options. A program contains one build of the emulator only.

# lockstep_add_sanitized_simt(<suffix> <macro> <option>...): lockstep_simt_<suffix>; its users compile with <option>...
function(lockstep_add_sanitized_simt suffix macro)
    set(library lockstep_simt_${suffix})
    add_library(${library} STATIC ${lockstep_emulator_sources} ${lockstep_simt_sources})
    add_library(lockstep::simt_${suffix} ALIAS ${library})
    set_target_properties(${library} PROPERTIES EXPORT_NAME simt_${suffix})
    target_link_libraries(${library} PUBLIC lockstep::kernel_options Threads::Threads)
    target_include_directories(${library} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
    target_compile_definitions(${library} PUBLIC ${macro}=1)
    # -g: reports name lines.
    target_compile_options(${library} INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${ARGN};-fno-omit-frame-pointer;-g>")
    target_link_options(${library} INTERFACE ${ARGN})
    if(LOCKSTEP_BOOST_CONTEXT)
        target_compile_definitions(${library} PRIVATE LOCKSTEP_BOOST_CONTEXT=1)
        target_link_libraries(${library} PRIVATE Boost::context)
    endif()
    if(LOCKSTEP_CUDA)
        target_link_libraries(${library} PUBLIC CUDA::cudart_static)
    endif()
endfunction()

lockstep_add_sanitized_simt(asan LOCKSTEP_ADDRESS_SANITIZER -fsanitize=address,undefined -fno-sanitize-recover=undefined)
target_compile_options(lockstep_simt_asan PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=undefined)
# The emulator itself is not instrumented: its scheduling would order the lanes and hide races.
lockstep_add_sanitized_simt(tsan LOCKSTEP_THREAD_SANITIZER -fsanitize=thread)
