# Compile options of the core, and the helpers that declare unit tests and micro-benchmarks.

# The core starts before the program's own libstdc++ and may not throw through C frames; a
# thread-local of libmpi is a rank-local of the program (each fiber has its own TLS block).
add_library(thrum_options INTERFACE)
target_compile_options(thrum_options INTERFACE
  -Wall -Wextra $<$<NOT:$<CXX_COMPILER_ID:Clang>>:-Wshadow=local> -Wvla -Wno-format-zero-length
  -fvisibility=hidden -fno-semantic-interposition -ftls-model=initial-exec
  $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>)
target_include_directories(thrum_options INTERFACE
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include ${PROJECT_BINARY_DIR}/generated)

# Debug builds, and so those with sanitizers, refuse to suspend with a spin lock (base/held_locks.h).
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_definitions(THRUM_COUNT_LOCKS)
endif()

if(THRUM_SANITIZE)
  # vptr: the core has no type information for it to look at.
  add_compile_options(-fsanitize=${THRUM_SANITIZE} -fno-sanitize=vptr -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${THRUM_SANITIZE})
endif()

# Parses the headers that most files include once for all of them: half of the time of a file of the core. Not with a
# launcher, such as ccache, which does not know what a precompiled header contains, and not with Clang, whose build tells of
# headers that a file lacks.
if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(precompiled_default ON)
else()
  set(precompiled_default OFF)
endif()
option(THRUM_PRECOMPILED_HEADERS "Precompile the headers of the standard library and of GoogleTest" ${precompiled_default})
set(thrum_common_headers <algorithm> <atomic> <cerrno> <climits> <cstdint> <cstdio> <cstdlib> <cstring> <functional> <map> <memory>
    <optional> <string> <string_view> <utility> <vector>)
# gcc 12 then takes copies of strings, inlined from operator+, for copies beyond their ends.
set(thrum_precompiled_options)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  set(thrum_precompiled_options "$<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread>")
endif()
if(THRUM_PRECOMPILED_HEADERS)
  target_compile_options(thrum_options INTERFACE ${thrum_precompiled_options})
endif()

# Declares one GoogleTest executable for each x_test.cc of the patterns ARGN, linked with `library`.
function(thrum_unit_tests library)
  find_package(GTest REQUIRED)
  include(GoogleTest)
  file(GLOB tests CONFIGURE_DEPENDS ${ARGN})
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    list(FILTER tests EXCLUDE REGEX "held_locks_test\\.cc$")
  endif()
  set(limit_s 120)
  if(THRUM_SANITIZE)
    set(limit_s 900)
  endif()
  foreach(path IN LISTS tests)
    get_filename_component(name ${path} NAME_WE)
    get_filename_component(layer ${path} DIRECTORY)
    string(REGEX REPLACE "^.*/src/([^/]+)(/.*)?$" "\\1" layer ${layer}) # not the room in it
    get_filename_component(layer ${layer} NAME)
    set(target ${layer}_${name})
    add_executable(${target} ${path})
    target_link_libraries(${target} PRIVATE ${library} thrum_options GTest::gtest GTest::gtest_main)
    target_compile_options(${target} PRIVATE -O0) # half of the time to compile the templates of GoogleTest
    if(THRUM_PRECOMPILED_HEADERS AND NOT first_target)
      set(first_target ${target})
      target_precompile_headers(${target} PRIVATE ${thrum_common_headers} <gtest/gtest.h>)
    elseif(THRUM_PRECOMPILED_HEADERS)
      target_precompile_headers(${target} REUSE_FROM ${first_target})
    endif()
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/unit)
    add_test(NAME unit/${layer}/${name} COMMAND ${target})
    set_tests_properties(unit/${layer}/${name} PROPERTIES LABELS "unit" TIMEOUT ${limit_s})
  endforeach()
endfunction()

# Declares the unit tests of the layer fiber once more, as one executable with the layers below it: here spin locks are
# counted in every build.
function(thrum_lock_tests)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/base/*.cc ${PROJECT_SOURCE_DIR}/src/trace/*.cc
       ${PROJECT_SOURCE_DIR}/src/fiber/*.cc ${PROJECT_SOURCE_DIR}/src/fiber/*.S ${PROJECT_SOURCE_DIR}/src/fiber/testing/*.cc)
  list(FILTER sources EXCLUDE REGEX "(_(bench|fuzz|export)|/(base|trace)/[a-z0-9_]*_test|/base/own_threads)\\.cc$") # a test has its own
  add_executable(locks_are_counted ${sources})
  target_compile_definitions(locks_are_counted PRIVATE THRUM_COUNT_LOCKS)
  target_link_libraries(locks_are_counted PRIVATE thrum_options Threads::Threads ${CMAKE_DL_LIBS} GTest::gtest GTest::gtest_main)
  add_dependencies(locks_are_counted thrum_generated)
  set_target_properties(locks_are_counted PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/unit)
  add_test(NAME unit/fiber/no_task_suspends_with_a_spin_lock COMMAND locks_are_counted)
  set_tests_properties(unit/fiber/no_task_suspends_with_a_spin_lock PROPERTIES LABELS "unit" TIMEOUT 240)
endfunction()

# Declares one Google Benchmark executable for each x_bench.cc beside its subject under src/.
function(thrum_micro_benchmarks)
  find_package(benchmark REQUIRED)
  file(GLOB benches CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/*_bench.cc)
  foreach(path IN LISTS benches)
    get_filename_component(name ${path} NAME_WE)
    get_filename_component(layer ${path} DIRECTORY)
    string(REGEX REPLACE "^.*/src/([^/]+)(/.*)?$" "\\1" layer ${layer}) # not the room in it
    get_filename_component(layer ${layer} NAME)
    add_executable(${layer}_${name} ${path})
    target_link_libraries(${layer}_${name} PRIVATE thrum_testing thrum_options benchmark::benchmark
                          benchmark::benchmark_main)
    set_target_properties(${layer}_${name} PROPERTIES
                          RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/micro)
  endforeach()
endfunction()
