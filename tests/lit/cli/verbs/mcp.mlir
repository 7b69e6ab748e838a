// RUN: stablehlo mcp --help | FileCheck %s
// RUN: not stablehlo mcp --folder=%t.missing < /dev/null 2>&1 | FileCheck --check-prefix=FOLDER %s
// RUN: not stablehlo mcp --seconds=0 2>&1 | FileCheck --check-prefix=SECONDS %s
// What it serves is asked for in tests/unit/cli/test_mcp.py.
// CHECK: Serve the verbs as tools by the Model Context Protocol
// CHECK: --folder DIR
// CHECK: --allow-commands
// FOLDER: error: {{'.*missing' is not a folder|mcp is not installed}}
// SECONDS: error: Invalid value for '--seconds'
