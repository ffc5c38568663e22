# Where the installed executable finds the plug-ins of the engines: from its own folder.
include(GNUInstallDirs)
set(MBSBENCH_ENGINE_FOLDER ${CMAKE_INSTALL_LIBDIR}/mbsbench/engines)
file(RELATIVE_PATH MBSBENCH_INSTALLED_ENGINES ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_PREFIX}/${MBSBENCH_ENGINE_FOLDER})
