// The directions of docs/architecture.md, as rules. Features stand in the order in which they may use each other: one uses
// features before it, never one after it.
const features = require('./scripts/feature-order.json')

const tests = '[.](test|fixture)[.]tsx?$|/test-[^/]+[.]ts$'
/** A plain .ts file of a feature, of lib or of platform runs anywhere; every other place is said by a suffix. */
const pure =
  '^src/(lib|features|platform)/(?!.*/use-[^/]+$)(?!.*-(client|worker)[.]ts$)(?!.*[.](server|d)[.]ts$).*[.]ts$'
/** The badge appears wherever a course does. Other components reach another feature as slots. */
const sharedBadge = '^src/features/catalogue/ui/course-badge[.]tsx$'
/** Except these: every feature that shows a question asks the registries for the components of its type. */
const typeRegistries = '^src/features/questions/types/[a-z-]+-registry[.]tsx$'
/** Every feature that shows a question shows its case study too. */
const caseStudies =
  '^src/features/questions/case-studies/ui/(?:(?:beside|printed|reviewed)-case-study|case-study-tabs)[.]tsx$'
/** The public interface of a feature: what decides, parses, calls, reads or writes. Its screens and endpoints are not. */
const publicInterface = `${pure}|-client[.]ts$|-(queries|commands)[.]server[.]ts$|${sharedBadge}|${typeRegistries}|${caseStudies}`
/** The app composes the features, so it mounts their endpoints, opens their gateways and uses their copy and components. */
const interfaceForApp = `${publicInterface}|/use-[^/]+[.]ts$|[.]tsx$|-(endpoints|gateway|emails)[.]server[.]ts$`

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
    ...features.slice(0, -1).map((feature, index) => ({
      name: `${feature}-uses-no-feature-to-its-right`,
      severity: 'error',
      from: { path: `^src/features/${feature}/`, pathNot: tests },
      to: { path: `^src/features/(${features.slice(index + 1).join('|')})/` },
    })),
    {
      name: 'features-are-listed',
      comment: 'A new feature gets its place in scripts/feature-order.json before anything uses it.',
      severity: 'error',
      from: {},
      to: { path: '^src/features/', pathNot: `^src/features/(${features.join('|')})/` },
    },
    {
      name: 'features-use-public-interfaces',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/', pathNot: tests },
      to: { path: '^src/features/', pathNot: ['^src/features/$1/', publicInterface] },
    },
    {
      name: 'the-app-uses-interfaces',
      severity: 'error',
      from: { path: '^src/(app|cli|main)', pathNot: tests },
      to: { path: '^src/features/', pathNot: interfaceForApp },
    },
    {
      name: 'ui-platform-and-database-know-no-feature',
      severity: 'error',
      from: { path: '^src/(ui|platform|emulators|db|lib)/', pathNot: tests },
      to: { path: '^src/(features|app|cli)/' },
    },
    {
      name: 'nobody-imports-the-app',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(app/|cli/|main[.]server[.]ts)', tests] },
      to: { path: '^src/(app/|cli/|main[.]server[.]ts)' },
    },
    {
      name: 'ui-knows-no-platform',
      severity: 'error',
      from: { path: '^src/ui/', pathNot: tests },
      to: { path: '^src/(platform|emulators|db)/' },
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
        pathNot: [
          'node_modules/(zod|lru-cache|ts-fsrs|yaml|saxes|htmlparser2|fflate|fzstd|sql[.]js|@noble/hashes)/',
          'node_modules/(mdast-util-from-markdown|mdast-util-gfm-table|micromark-extension-gfm-table)/',
          // Types alone.
          '^mdast$',
        ],
      },
    },
    {
      name: 'sqlite-reads-anki-alone',
      comment: 'SQLite and zstd are large, and read files of others: in the worker for banks, never in a browser.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/features/questions/formats/anki/' },
      to: { path: 'node_modules/(sql[.]js|fzstd)/' },
    },
    {
      name: 'banks-are-read-on-servers',
      severity: 'error',
      from: { path: '^src/', pathNot: ['[.]server[.]ts$', '^src/features/questions/formats/', tests] },
      to: { path: '^src/features/questions/formats/(bank|anki/.*)[.]ts$' },
    },
    {
      name: 'the-browser-reaches-no-server',
      comment: 'Type imports vanish. A page takes its loader from its own endpoints file, which the framework strips.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '[.]server[.]tsx?$',
          '^src/db/',
          tests,
          '^src/features/.*-page[.]tsx$',
          '^src/app/(.*/[^/]+-(page|layout)|root)[.]tsx$',
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
        pathNot: '^src/features/$1/.*-endpoints[.]server[.]ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'a-page-of-the-app-takes-only-its-own-loader',
      severity: 'error',
      from: { path: '^src/app/.*-(page|layout)[.]tsx$' },
      to: {
        path: '[.]server[.]tsx?$|^src/db/',
        pathNot: '^src/app/page-loaders[.]server[.]ts$',
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
      name: 'only-queries-and-commands-touch-the-database',
      severity: 'error',
      from: { path: '^src/features/', pathNot: ['-(queries|commands)[.]server[.]ts$', tests] },
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
      // The route table is read by the build; the emulator and its tests share types.
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
