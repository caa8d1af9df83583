/* libFuzzer around attack/native/target.py: an interpreter is started once, and every input goes to its function run. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>

static PyObject *run;

static void fail(void) {
    PyErr_Print();
    abort(); /* libFuzzer keeps the input */
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    Py_Initialize();
    PyObject *module = PyImport_ImportModule("attack.native.target");
    run = module ? PyObject_GetAttrString(module, "run") : NULL;
    if (!run) fail();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    PyObject *result = PyObject_CallFunction(run, "y#", (const char *)data, (Py_ssize_t)size);
    if (!result) fail();
    Py_DECREF(result);
    return 0;
}
