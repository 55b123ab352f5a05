// MPI 5.0 section 14.2.8: "MPI_FILE_GET_INFO returns a new info object containing the hints of the
// file associated with fh. The current setting of all hints related to this file is returned in
// info_used." ... "When an info object that specifies a subset of valid hints is passed to
// MPI_FILE_SET_VIEW or MPI_FILE_SET_INFO, there will be no effect on previously set or defaulted
// hints that info does not specify."
// ranks: 1 3
#include "files.h"

static const char *hint(MPI_File file, const char *key) {
    static char value[MPI_MAX_INFO_VAL];
    MPI_Info info;
    int flag = 0, length = sizeof value;
    CHECK_SUCCESS(MPI_File_get_info(file, &info));
    CHECK_SUCCESS(MPI_Info_get_string(info, key, &length, value, &flag));
    CHECK_SUCCESS(MPI_Info_free(&info));
    return flag ? value : "(none)";
}

int main(void) {
    start_with_file();
    MPI_Info info;
    MPI_File file;
    CHECK_SUCCESS(MPI_Info_create(&info));
    CHECK_SUCCESS(MPI_Info_set(info, "cb_buffer_size", "1048576"));
    CHECK_SUCCESS(MPI_Info_set(info, "cb_nodes", "nonsense"));
    CHECK_SUCCESS(MPI_Info_set(info, "file_perm", "640"));
    CHECK_SUCCESS(MPI_Info_set(info, "no_such_hint", "1"));
    CHECK_SUCCESS(MPI_Info_set(info, "access_style", "write_once,random"));
    CHECK_SUCCESS(MPI_File_open(MPI_COMM_WORLD, file_name,
                                MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info,
                                &file));
    CHECK_EQUAL(strcmp(hint(file, "filename"), file_name), 0);
    CHECK_EQUAL(strcmp(hint(file, "cb_buffer_size"), "1048576"), 0);
    CHECK_EQUAL(strcmp(hint(file, "file_perm"), "0640"), 0);
    CHECK_EQUAL(strcmp(hint(file, "collective_buffering"), "true"), 0);
    CHECK_EQUAL(strcmp(hint(file, "access_style"), "write_once,random"), 0);
    CHECK_EQUAL(strcmp(hint(file, "no_such_hint"), "(none)"), 0);
    CHECK(atoi(hint(file, "cb_nodes")) >= 1 && atoi(hint(file, "cb_nodes")) <= size);
    CHECK_EQUAL(atoi(hint(file, "nb_proc")), size);
    struct stat status;
    CHECK_EQUAL(stat(file_name, &status), 0);
    CHECK_EQUAL(status.st_mode & 0777, 0640 & ~022);

    CHECK_SUCCESS(MPI_Info_set(info, "collective_buffering", "false"));
    CHECK_SUCCESS(MPI_Info_delete(info, "cb_buffer_size"));
    CHECK_SUCCESS(MPI_File_set_info(file, info));
    CHECK_EQUAL(strcmp(hint(file, "collective_buffering"), "false"), 0);
    CHECK_EQUAL(strcmp(hint(file, "cb_buffer_size"), "1048576"), 0);
    CHECK_SUCCESS(MPI_Info_set(info, "cb_buffer_size", "65536"));
    CHECK_SUCCESS(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", info));
    CHECK_EQUAL(strcmp(hint(file, "cb_buffer_size"), "65536"), 0);
    if (size > 1) { // [SAME]
        CHECK_SUCCESS(MPI_Info_set(info, "cb_nodes", rank == 0 ? "1" : "2"));
        CHECK_ERROR(MPI_File_set_info(file, info), MPI_ERR_NOT_SAME);
    }
    CHECK_SUCCESS(MPI_Info_free(&info));
    close_file(&file);
    return finish();
}
