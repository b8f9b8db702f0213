# Installing: headers, library, `find_package(gradus)` and pkg-config. The build tree exports the
# same package, so that the Python module can use a library that is already built.
include(CMakePackageConfigHelpers)

set(gradus_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/gradus")
configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/gradusConfig.cmake.in" "${PROJECT_BINARY_DIR}/gradusConfig.cmake"
  INSTALL_DESTINATION "${gradus_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gradusConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
# The .pc file finds its prefix from where it lies, so that an installed tree can be moved.
file(RELATIVE_PATH gradus_pc_to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
# A static library hands its own needs on to whoever links it.
if(BUILD_SHARED_LIBS)
  set(gradus_pc_requires "Requires.private")
  set(gradus_pc_libs "")
else()
  set(gradus_pc_requires "Requires")
  set(gradus_pc_libs " -lpthread -ldl")
endif()
configure_file("${CMAKE_CURRENT_LIST_DIR}/gradus.pc.in" "${PROJECT_BINARY_DIR}/gradus.pc" @ONLY)

install(TARGETS gradus EXPORT gradusTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT gradusTargets NAMESPACE gradus:: DESTINATION "${gradus_package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/gradusConfig.cmake"
              "${PROJECT_BINARY_DIR}/gradusConfigVersion.cmake"
  DESTINATION "${gradus_package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/gradus.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/gradus" "${PROJECT_BINARY_DIR}/src/generated/gradus"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
export(EXPORT gradusTargets NAMESPACE gradus:: FILE "${PROJECT_BINARY_DIR}/gradusTargets.cmake")
