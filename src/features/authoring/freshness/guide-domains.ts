import { Blueprint } from '../../questions/questions.schema.ts'

type Domains = Blueprint['domains']

/** Domains as an admin types them: a line each, the weight before the name. */
export function domainLines(domains: Domains): string {
  return domains.map(({ name, weight }) => `${weight} ${name}`).join('\n')
}

/** Null if a line is no domain, a name stands twice, or the weights do not sum to 100. */
export function readDomains(lines: string): Domains | null {
  const read = lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => /^(\d+(?:\.\d+)?)\s*%?\s+(.+)$/.exec(line))
    .map((match) => ({ name: match?.[2] ?? '', weight: Number(match?.[1] ?? 0) }))
  const parsed = Blueprint.shape.domains.safeParse(read)
  return parsed.success && new Set(read.map(({ name }) => name)).size === read.length ? parsed.data : null
}
