# What `cmake --install` puts where: the program, the public headers, the static libraries behind them and
# the package that find_package(Cohort) finds.
#
#   cohort_install(LIBRARY cohort MODULES base lang PROGRAM cohort_program)
#
# LIBRARY is the public target, known outside as cohort::cohort; its public headers are its file set HEADERS.
# MODULES are the folders of src/ that it links, directly or not; outside each is cohort::<folder>, and none
# of their headers is installed.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

function(cohort_install)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "LIBRARY;PROGRAM" "MODULES")

  set(libraries ${arg_LIBRARY})
  foreach(module IN LISTS arg_MODULES)
    set_target_properties(cohort_${module} PROPERTIES EXPORT_NAME ${module})
    list(APPEND libraries cohort_${module})
  endforeach()
  # cohort_settings stays at home; what users of the headers need of it is said here.
  target_compile_features(${arg_LIBRARY} PUBLIC cxx_std_20)

  set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Cohort)
  install(
    TARGETS ${libraries}
    EXPORT CohortTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(TARGETS ${arg_PROGRAM} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT CohortTargets NAMESPACE cohort:: DESTINATION ${package_dir})

  configure_package_config_file(
    ${PROJECT_SOURCE_DIR}/cmake/CohortConfig.cmake.in ${PROJECT_BINARY_DIR}/CohortConfig.cmake
    INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
  # Before 1.0 a minor version may break what stands on it.
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/CohortConfigVersion.cmake
                                   COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/CohortConfig.cmake
                ${PROJECT_BINARY_DIR}/CohortConfigVersion.cmake DESTINATION ${package_dir})
endfunction()
