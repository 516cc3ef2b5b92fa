# cohort_settings: standard, warnings, sanitizers and include root of everything that we compile.

add_library(cohort_settings INTERFACE)
target_compile_features(cohort_settings INTERFACE cxx_std_20)
target_include_directories(cohort_settings INTERFACE ${PROJECT_SOURCE_DIR}/src
                                                     ${PROJECT_SOURCE_DIR}/include)
target_compile_options(
  cohort_settings
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wconversion
            -Wsign-conversion
            -Wnon-virtual-dtor
            -Wold-style-cast
            # g++ 12 warns of string::assign in its own library (its bug 105651)
            $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
            $<$<BOOL:${COHORT_WERROR}>:-Werror>)

if(COHORT_SANITIZE)
  target_compile_options(cohort_settings INTERFACE -fsanitize=${COHORT_SANITIZE}
                                                   -fno-omit-frame-pointer -O1)
  target_link_options(cohort_settings INTERFACE -fsanitize=${COHORT_SANITIZE})
  # g++ sees uninitialized variables in instrumented code that has none (its manual, -fsanitize).
  target_compile_options(cohort_settings
                         INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  if(COHORT_SANITIZE MATCHES "address")
    target_compile_definitions(cohort_settings INTERFACE _GLIBCXX_ASSERTIONS)
    target_compile_options(cohort_settings INTERFACE -fno-sanitize-recover=all)
  endif()
endif()
if(COHORT_FUZZ)
  target_compile_options(cohort_settings INTERFACE -fsanitize=fuzzer-no-link)
  # Programs that are not fuzz targets need the counters' runtime as well.
  target_link_options(cohort_settings INTERFACE -fsanitize=fuzzer-no-link)
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
