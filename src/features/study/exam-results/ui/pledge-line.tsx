import { Link } from 'react-router'
import { paths } from '../../../../lib/paths.ts'
import { copy } from '../exam-results.copy.ts'

/** The pledge in one line before buying, with the way to its rule. */
export function PledgeLine({ className = '', onFollow }: { className?: string; onFollow?: () => void }) {
  return (
    <p className={`text-sm text-soft ${className}`}>
      {copy['pledge.line']}{' '}
      <Link to={paths.pledge} onClick={onFollow} className="font-medium text-accent underline underline-offset-2">
        {copy['pledge.line.link']}
      </Link>
    </p>
  )
}
