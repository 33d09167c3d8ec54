import { readFileSync } from 'node:fs'
import ts from 'typescript'

type FunctionLength = { readonly name: string; readonly file: string; readonly line: number; readonly lines: number }

/** The functions of a file, each with its lines from the first to the last. A function's lines include those of the functions inside it. */
export function listFunctions(file: string): FunctionLength[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
  const found: FunctionLength[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const line = lineOf(node.getStart(source))
      found.push({ name: nameOf(node), file, line, lines: lineOf(node.end) - line + 1 })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Its own name, or the name of the constant or property that holds it. */
function nameOf(node: ts.SignatureDeclaration): string {
  const name = node.name ?? ('name' in node.parent ? (node.parent.name as ts.Node) : undefined)
  return name?.getText() ?? 'an unnamed function'
}
