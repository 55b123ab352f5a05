# The installed tree: bin, lib, include, lib/pkgconfig, lib/cmake, share/man, share/thrum. `make install PREFIX=...`.

install(TARGETS mpiexec RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS mpi_abi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ${openmpi_targets} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/thrum_fronts/openmpi NAMELINK_SKIP)
install(TARGETS ${mpich_targets} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/thrum_fronts/mpich NAMELINK_SKIP)
install(TARGETS mpifort mpifort_i8 mpi_removed ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# gdb looks for it beside the library.
install(FILES gdb/libmpi_abi.so.1-gdb.py DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_BINARY_DIR}/include/mpi.h ${PROJECT_BINARY_DIR}/include/mpif.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/include/i8/mpif.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/i8)
set(module_directories . i8)
if(THRUM_FLANG)
  list(APPEND module_directories flang flang/i8)
endif()
foreach(directory ${module_directories})
  install(FILES ${PROJECT_BINARY_DIR}/include/${directory}/mpi.mod ${PROJECT_BINARY_DIR}/include/${directory}/mpi_f08.mod
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${directory})
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/thrum DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN *.h)

function(thrum_install_link target link directory)
  file(CREATE_LINK ${target} ${CMAKE_CURRENT_BINARY_DIR}/links/${link} SYMBOLIC)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/links/${link} DESTINATION ${directory})
endfunction()
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/links)
thrum_install_link(mpiexec mpirun ${CMAKE_INSTALL_BINDIR})
thrum_install_link(mpicxx mpic++ ${CMAKE_INSTALL_BINDIR})
thrum_install_link(mpicc mpicc_abi ${CMAKE_INSTALL_BINDIR})
thrum_install_link(mpicxx mpicxx_abi ${CMAKE_INSTALL_BINDIR})
thrum_install_link(mpicxx mpiCC ${CMAKE_INSTALL_BINDIR})
thrum_install_link(mpifort mpif90 ${CMAKE_INSTALL_BINDIR})
thrum_install_link(mpifort mpif77 ${CMAKE_INSTALL_BINDIR})
thrum_install_link(libmpi_abi.so libmpi.so ${CMAKE_INSTALL_LIBDIR})

# pkg-config: under our name, and under the one that build systems ask for.
file(RELATIVE_PATH PKGCONFIG_TO_TREE /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(PKGCONFIG_LANGUAGE "")
set(PKGCONFIG_LIBRARIES "-lmpi_removed -lmpi_abi")
foreach(name thrum mpi thrum-fortran)
  if(name STREQUAL thrum-fortran)
    set(PKGCONFIG_LANGUAGE ", Fortran")
    set(PKGCONFIG_LIBRARIES "-lmpi_removed -lmpifort -lmpi_abi")
  endif()
  configure_file(thrum.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# CMake: find_package(Thrum). FindMPI of CMake finds mpicc and mpiexec without it.
file(RELATIVE_PATH CONFIG_TO_TREE /${CMAKE_INSTALL_LIBDIR}/cmake/thrum /)
configure_file(thrum-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/thrum-config.cmake @ONLY)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/thrum-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/thrum-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/thrum-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/thrum)

install(FILES ${man_pages} ${CMAKE_CURRENT_SOURCE_DIR}/man/thrum.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
thrum_install_link(mpiexec.1 mpirun.1 ${CMAKE_INSTALL_MANDIR}/man1)
thrum_install_link(mpicc.1 mpicc_abi.1 ${CMAKE_INSTALL_MANDIR}/man1)
thrum_install_link(mpicxx.1 mpicxx_abi.1 ${CMAKE_INSTALL_MANDIR}/man1)
thrum_install_link(mpifort.1 mpif90.1 ${CMAKE_INSTALL_MANDIR}/man1)
thrum_install_link(mpifort.1 mpif77.1 ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES valgrind.supp DESTINATION ${CMAKE_INSTALL_DATADIR}/thrum)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(TARGETS ${room_libraries} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})

# Builds, for `make install`, everything that is installed, and no tests.
add_custom_target(thrum_installed DEPENDS thrum_commands)
foreach(target thrum_privatize_gcc thrum_privatize_llvm thrum_privatize_ld thrum_privatized_object thrum_privatized_cxx)
  if(TARGET ${target})
    add_dependencies(thrum_installed ${target})
  endif()
endforeach()
