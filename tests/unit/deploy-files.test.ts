import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { variables } from '../../src/platform/env.server.ts'
import { projectRoot } from '../../src/platform/project-root.server.ts'

const read = (name: string) => readFileSync(join(projectRoot, 'deploy', name), 'utf8')

type Manifest = {
  readonly apiVersion: string
  readonly kind: string
  readonly data?: object
  readonly stringData?: object
}
const manifests = parseAllDocuments(read('kubernetes/altocert.yaml')).map((one) => one.toJS() as Manifest)
const compose = parse(read('compose.yaml')) as { services: { shop: { environment: object } } }

/** What the type checker says of the manifests as values of the types of Kubernetes 1.30, unknown fields included. */
function faultsOf(texts: readonly Manifest[]): string[] {
  const name = join(projectRoot, 'tests/unit/manifests.ts')
  const text = texts
    .map((manifest, at) => {
      const group = manifest.apiVersion.includes('/') ? manifest.apiVersion : `core/${manifest.apiVersion}`
      const module = `kubernetes-types/${group.replace('.k8s.io', '')}`
      return `import type { ${manifest.kind} as Kind${at} } from '${module}'\nexport const manifest${at}: Kind${at} = ${JSON.stringify(manifest)}`
    })
    .join('\n')
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  }
  const host = ts.createCompilerHost(options)
  const readSource = host.getSourceFile.bind(host)
  host.getSourceFile = (file, target) =>
    file === name ? ts.createSourceFile(file, text, target) : readSource(file, target)
  const program = ts.createProgram([name], options, host)
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

test('the manifests are what the types of Kubernetes 1.30 say, and a misspelt field would be found', () => {
  expect(manifests.map(({ kind }) => kind)).toEqual(
    'Namespace Secret ConfigMap Deployment Service PodDisruptionBudget Ingress'.split(' '),
  )
  expect(faultsOf(manifests)).toEqual([])
  const misspelt = JSON.parse(
    JSON.stringify(manifests).replace('readOnlyRootFilesystem', 'readOnlyRootFileSystem'),
  ) as Manifest[]
  expect(faultsOf(misspelt).join()).toMatch(/readOnlyRootFileSystem/)
})

test('the files set only variables that the product reads', () => {
  const unit = /^Environment=(.*)$/m.exec(read('systemd/altocert.service'))?.[1] ?? ''
  const image = [...read('Containerfile').matchAll(/^(?:ENV| ) *([A-Z_]+)=/gm)].map(([, name]) => name)
  const named = [
    ...manifests.flatMap(({ data, stringData }) => Object.keys({ ...data, ...stringData })),
    ...Object.keys(compose.services.shop.environment),
    ...unit.split(' ').map((pair) => pair.split('=')[0]),
    ...image,
  ].filter((name) => name !== 'NODE_ENV')
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((name) => !Object.keys(variables).includes(name ?? ''))).toEqual([])
})
