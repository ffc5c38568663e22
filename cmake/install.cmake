# The installed package, find_package(mbsbench): what plug-ins build against. Targets mbsbench::interface, with what methods
# share mbsbench::numerics, for those that eliminate joint after joint mbsbench::tree_sweeps, for other languages mbsbench::c_interface, the flags mbsbench::flags and the program
# mbsbench::mbsbench.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

target_include_directories(mbs_model INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                               $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/mbsbench>)
target_compile_features(mbs_model INTERFACE cxx_std_20)
set_target_properties(mbs_model PROPERTIES EXPORT_NAME model)
set_target_properties(mbs_interface PROPERTIES EXPORT_NAME interface)
set_target_properties(mbs_kinematics PROPERTIES EXPORT_NAME kinematics)
set_target_properties(mbs_numerics PROPERTIES EXPORT_NAME numerics)
set_target_properties(mbs_tree_sweeps PROPERTIES EXPORT_NAME tree_sweeps)
# The header for libraries in other languages, and nothing to link.
add_library(mbs_c_interface INTERFACE)
target_include_directories(mbs_c_interface INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/mbsbench>)
set_target_properties(mbs_c_interface PROPERTIES EXPORT_NAME c_interface)
# What this build was compiled with, so that a plug-in can be timed beside its methods.
add_library(mbs_built_with INTERFACE)
separate_arguments(built_with UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${MBSBENCH_CONFIG}}")
foreach(flag IN LISTS built_with)
  target_compile_options(mbs_built_with INTERFACE $<INSTALL_INTERFACE:${flag}>)
endforeach()
set_target_properties(mbs_built_with PROPERTIES EXPORT_NAME flags)
install(TARGETS mbs_model mbs_interface mbs_c_interface mbs_built_with mbs_kinematics mbs_numerics mbs_tree_sweeps EXPORT mbsbench ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS mbsbench RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
foreach(room problems/model methods/interface methods/steady methods/growth methods/thresholds methods/kinematics methods/numerics methods/tree_motion methods/loops
             methods/coordinates methods/tree_sweeps)
  install(DIRECTORY ${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mbsbench/${room}/.. FILES_MATCHING PATTERN "*.h")
endforeach()
install(FILES methods/foreign/c_method.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mbsbench/methods/foreign)
install(DIRECTORY examples/ DESTINATION share/mbsbench/examples USE_SOURCE_PERMISSIONS)
install(DIRECTORY docs/ DESTINATION share/mbsbench/docs FILES_MATCHING PATTERN "*.md" PATTERN "*.csv")
install(FILES problems/notation.md DESTINATION share/mbsbench/problems)  # docs/ links to it
# What files and stores hold.
install(FILES problems/io/model.schema.json harness/store/schema.sql harness/store/DOCUMENTS.md DESTINATION share/mbsbench/schema)
install(DIRECTORY methods/composite_body DESTINATION share/mbsbench/examples)  # the method to read
install(DIRECTORY reference/certified DESTINATION share/mbsbench)  # where the executable looks for them
install(EXPORT mbsbench NAMESPACE mbsbench:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mbsbench FILE mbsbenchTargets.cmake)
configure_package_config_file(cmake/mbsbenchConfig.cmake.in ${CMAKE_BINARY_DIR}/mbsbenchConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mbsbench PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/mbsbenchConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES ${CMAKE_BINARY_DIR}/mbsbenchConfig.cmake ${CMAKE_BINARY_DIR}/mbsbenchConfigVersion.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/mbsbench)
