# The installed package: what a plug-in builds against (find_package(mbsbench), targets mbsbench::interface, with what methods share mbsbench::numerics, and for other languages mbsbench::c_interface).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

target_include_directories(mbs_model INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                               $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/mbsbench>)
target_compile_features(mbs_model INTERFACE cxx_std_20)
set_target_properties(mbs_model PROPERTIES EXPORT_NAME model)
set_target_properties(mbs_interface PROPERTIES EXPORT_NAME interface)
set_target_properties(mbs_kinematics PROPERTIES EXPORT_NAME kinematics)
set_target_properties(mbs_numerics PROPERTIES EXPORT_NAME numerics)
# The header for libraries in other languages, and nothing to link.
add_library(mbs_c_interface INTERFACE)
target_include_directories(mbs_c_interface INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/mbsbench>)
set_target_properties(mbs_c_interface PROPERTIES EXPORT_NAME c_interface)
install(TARGETS mbs_model mbs_interface mbs_c_interface mbs_kinematics mbs_numerics EXPORT mbsbench ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS mbsbench RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
foreach(room problems/model methods/interface methods/kinematics methods/numerics)
  install(DIRECTORY ${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mbsbench/${room}/.. FILES_MATCHING PATTERN "*.h")
endforeach()
install(DIRECTORY examples/ DESTINATION share/mbsbench/examples)
install(DIRECTORY methods/composite_body DESTINATION share/mbsbench/examples)  # the method to read
install(DIRECTORY reference/certified DESTINATION share/mbsbench)  # where the executable looks for them
install(EXPORT mbsbench NAMESPACE mbsbench:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mbsbench FILE mbsbenchConfig.cmake)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/mbsbenchConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES ${CMAKE_BINARY_DIR}/mbsbenchConfigVersion.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mbsbench)
