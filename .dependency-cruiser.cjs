// The directions of docs/architecture.md, as rules. Rooms stand in the order in which they may use each other: one uses
// those before it, never one after it.
const rooms = require('./scripts/room-order.json')

// Each file in formats/ is named by the format that it reads and writes (decision 0001).
const formats = '^src/features/questions/formats/[a-z-]+[.]ts$'
const tests = '[.](test|fixture)[.]tsx?$|/test-[^/]+[.]ts$'
const pure = `^src/lib/|^src/.*/(rules|schema|copy)[.]ts$|${formats}`
/** What decides, parses, calls, reads or writes may be used from outside a room; its screens and endpoints may not. */
const door = `/(rules|schema|client)[.]tsx?$|/(read|write)[.]server[.]ts$|${formats}`
/** The shell joins the rooms, so it mounts their endpoints, opens their gateways and uses their words and parts. */
const shellDoor = `${door}|/copy[.]ts$|/ui/[^/]+[.]tsx$|/(api|gateway|letters)[.]server[.]ts$|-page[.]tsx$`

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Of what runs: two files may know the shape of what the other one holds.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    ...rooms.slice(0, -1).map((room, index) => ({
      name: `${room}-uses-no-room-to-its-right`,
      severity: 'error',
      from: { path: `^src/features/${room}/`, pathNot: tests },
      to: { path: `^src/features/(${rooms.slice(index + 1).join('|')})/` },
    })),
    {
      name: 'rooms-are-listed',
      comment: 'A new room gets its place in scripts/room-order.json before anything uses it.',
      severity: 'error',
      from: {},
      to: { path: '^src/features/', pathNot: `^src/features/(${rooms.join('|')})/` },
    },
    {
      name: 'rooms-meet-at-the-door',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/', pathNot: tests },
      to: { path: '^src/features/', pathNot: ['^src/features/$1/', door] },
    },
    {
      name: 'the-shell-knocks',
      severity: 'error',
      from: { path: '^src/(app/|main)', pathNot: tests },
      to: { path: '^src/features/', pathNot: shellDoor },
    },
    {
      name: 'kit-platform-and-database-know-no-room',
      severity: 'error',
      from: { path: '^src/(ui|platform|db|lib)/', pathNot: tests },
      to: { path: '^src/(features|app)/' },
    },
    {
      name: 'nobody-imports-the-shell',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(app/|main[.]server[.]ts)', tests] },
      to: { path: '^src/(app/|main[.]server[.]ts)' },
    },
    {
      name: 'the-kit-knows-no-platform',
      severity: 'error',
      from: { path: '^src/ui/', pathNot: tests },
      to: { path: '^src/(platform|db)/' },
    },
    {
      name: 'pure-files-use-pure-files',
      severity: 'error',
      from: { path: pure, pathNot: tests },
      to: { path: '^src/', pathNot: pure },
    },
    {
      name: 'pure-files-use-few-packages',
      comment: 'Parsers and the like, which run in a browser, in a worker and in Node. Name a new one here.',
      severity: 'error',
      from: { path: pure, pathNot: tests },
      to: {
        dependencyTypesNot: ['local', 'type-only'],
        pathNot: 'node_modules/(zod|lru-cache|ts-fsrs|yaml|mdast-util-from-markdown|saxes|htmlparser2|fflate)/',
      },
    },
    {
      name: 'the-browser-reaches-no-server',
      comment: 'Type imports vanish. A page takes its loader from its own api.server.ts, which the framework strips.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '[.]server[.]tsx?$',
          '^src/db/',
          tests,
          '^src/features/.*-page[.]tsx$',
          '^src/app/([^/]+-(page|layout)|root)[.]tsx$',
        ],
      },
      to: { path: '[.]server[.]tsx?$|^src/db/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'a-page-takes-only-its-own-loader',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/.*-page[.]tsx$' },
      to: {
        path: '[.]server[.]tsx?$|^src/db/',
        pathNot: '^src/features/$1/.*api[.]server[.]ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'a-page-of-the-shell-takes-only-its-own-loader',
      severity: 'error',
      from: { path: '^src/app/[^/]+-(page|layout)[.]tsx$' },
      to: {
        path: '[.]server[.]tsx?$|^src/db/',
        pathNot: '^src/app/pages[.]server[.]ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'only-server-files-use-node',
      severity: 'error',
      from: { path: '^src/', pathNot: ['[.]server[.]tsx?$', tests] },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-read-and-write-touch-the-database',
      severity: 'error',
      from: { path: '^src/features/', pathNot: ['/(read|write)[.]server[.]ts$', tests] },
      to: { path: '^src/db/|node_modules/(kysely|pg|pg-boss)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-product-needs-no-test',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: ['^(tests|scripts|bench)/', tests] },
    },
    {
      name: 'the-product-needs-no-development-package',
      severity: 'error',
      // The route table is read by the build; the stand-in and its tests share types.
      from: { path: '^src/', pathNot: [tests, '^src/app/routes[.]ts$'] },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'every-import-is-there',
      severity: 'error',
      from: {},
      to: {
        couldNotResolve: true,
        // The build's own module, and a package that has nothing but types.
        pathNot: '^(virtual:react-router/server-build|mdast)$',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: 'specify',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
}
