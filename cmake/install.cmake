# The installed package: what a plug-in builds against (find_package(mbsbench), target mbsbench::interface).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

target_include_directories(mbs_model INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                               $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/mbsbench>)
target_compile_features(mbs_model INTERFACE cxx_std_20)
set_target_properties(mbs_model PROPERTIES EXPORT_NAME model)
set_target_properties(mbs_interface PROPERTIES EXPORT_NAME interface)
install(TARGETS mbs_model mbs_interface EXPORT mbsbench ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS mbsbench RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
foreach(room problems/model methods/interface)
  install(DIRECTORY ${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mbsbench/${room}/.. FILES_MATCHING PATTERN "*.h")
endforeach()
install(DIRECTORY reference/certified DESTINATION share/mbsbench)  # where the executable looks for them
install(EXPORT mbsbench NAMESPACE mbsbench:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mbsbench FILE mbsbenchConfig.cmake)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/mbsbenchConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES ${CMAKE_BINARY_DIR}/mbsbenchConfigVersion.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mbsbench)
