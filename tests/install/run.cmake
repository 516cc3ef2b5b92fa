# Installs the build into an empty folder, then builds and runs consumer/ against what was installed.
#
#   cmake -D BUILD=… -D SOURCE=… -D SCRATCH=… -D COMPILER=… -D FLAGS=… -P run.cmake
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${SCRATCH})
set(prefix ${SCRATCH}/prefix)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run(${prefix}/bin/cohort --version)
# The package is found through the prefix alone, not in a registry and not in this build.
run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${SCRATCH}/consumer
    -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
    -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${FLAGS} -D CMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${SCRATCH}/consumer)
run(${SCRATCH}/consumer/consumer)

# An installed file that names the source tree would not work on another machine.
file(GLOB_RECURSE package ${prefix}/*.cmake ${prefix}/*.hpp)
foreach(file IN LISTS package)
  file(READ ${file} text)
  string(FIND "${text}" "${BUILD}" place)
  if(NOT place EQUAL -1)
    message(FATAL_ERROR "${file} names the build folder")
  endif()
endforeach()
