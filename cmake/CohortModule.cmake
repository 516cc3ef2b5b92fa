# One static library for each folder of src/.  DEPENDS is the folder's row in docs/architecture.md:
# a call that looks up does not link.  PACKAGES are third-party targets, seen by this folder only.
function(cohort_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS;PACKAGES")
  add_library(cohort_${name} STATIC ${arg_SOURCES})
  add_library(cohort::${name} ALIAS cohort_${name})
  list(TRANSFORM arg_DEPENDS PREPEND cohort_)
  # Who links an installed Cohort needs no header-only package any more.
  set(packages "")
  foreach(package IN LISTS arg_PACKAGES)
    get_target_property(type ${package} TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
      set(package $<BUILD_INTERFACE:${package}>)
    endif()
    list(APPEND packages ${package})
  endforeach()
  target_link_libraries(
    cohort_${name}
    PUBLIC $<BUILD_INTERFACE:cohort_settings> ${arg_DEPENDS}
    PRIVATE ${packages})
endfunction()
