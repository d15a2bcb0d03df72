# What an installation consists of, the rules' files included: they are there to be read and copied.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# name=module of every pkg-config library that was linked: a static library's user needs them again.
set(forensics_boost_components regex)
set(forensics_pkg_modules re2=re2)
if(hs_FOUND)
  list(APPEND forensics_pkg_modules hs=libhs)
endif()
if(FORENSICS_WITH_JOURNAL)
  list(APPEND forensics_pkg_modules systemd=libsystemd)
endif()

set(forensics_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/forensics)
install(TARGETS forensics EXPORT forensics-targets FILE_SET HEADERS)
install(EXPORT forensics-targets NAMESPACE forensics:: DESTINATION ${forensics_cmake_dir})
configure_package_config_file(forensics-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/forensics-config.cmake
  INSTALL_DESTINATION ${forensics_cmake_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/forensics-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/forensics-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/forensics-config-version.cmake DESTINATION ${forensics_cmake_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/rules/ DESTINATION ${CMAKE_INSTALL_DATADIR}/forensics/rules)
