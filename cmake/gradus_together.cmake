# Compiles the sources of a folder together, a few at a time: what a source costs besides its own
# lines (reading headers, instantiating the same templates) is then paid once per group.
#
#   compile_together(sources ROOT "${CMAKE_CURRENT_SOURCE_DIR}" ALONE "^gradus/simd/")
#
# replaces the sources in the list by generated ones that include them. Sources that match ALONE
# stay as they are. Names in the unnamed namespaces of one folder must differ; the compiler says
# where they do not. -DGRADUS_TOGETHER=OFF compiles each source by itself: best while one file
# is changed again and again, and for tools that look at one source at a time.
set(GRADUS_GROUP 10)

# Writes sources of one folder, given by their names below the root, as one generated source.
function(write_group file)
  set(includes "")
  foreach(name IN LISTS ARGN)
    string(APPEND includes "#include \"${name}\"\n")
  endforeach()
  file(CONFIGURE OUTPUT "${file}" CONTENT "@includes@" @ONLY)
endfunction()

function(compile_together list)
  cmake_parse_arguments(in "" "ROOT;ALONE" "" ${ARGN})
  if(NOT GRADUS_TOGETHER)
    return()
  endif()
  set(result "")
  set(folders "")
  foreach(source IN LISTS ${list})
    file(RELATIVE_PATH name "${in_ROOT}" "${source}")
    if(name MATCHES "${in_ALONE}")
      list(APPEND result "${source}")
      continue()
    endif()
    get_filename_component(folder "${name}" DIRECTORY)
    string(REPLACE "/" "_" folder "sources/${folder}")
    list(APPEND folders "${folder}")
    list(APPEND names_${folder} "${name}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH names_${folder} count)
    math(EXPR last "${count} - 1")
    foreach(first RANGE 0 ${last} ${GRADUS_GROUP})
      list(SUBLIST names_${folder} ${first} ${GRADUS_GROUP} names)
      set(file "${CMAKE_CURRENT_BINARY_DIR}/together/${folder}_${first}.cpp")
      write_group("${file}" ${names})
      list(APPEND result "${file}")
    endforeach()
  endforeach()
  set(${list} "${result}" PARENT_SCOPE)
endfunction()
