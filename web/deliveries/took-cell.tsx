import { BudgetBar } from '../design/budget-bar.tsx'
import { useWords } from '../words/words.ts'
import classes from './deliveries.module.css'
import { MS_PER_SECOND, took } from './took.ts'

interface Props {
  row: { ms: number | null; budget_ms: number | null }
  /** There is no room for a bar beside a delivery that is looked at. */
  hasBar: boolean
}

/** How long the answer took, figures below each other; where the platform waits for so long only, a bar shows of how much. */
export function TookCell({ row, hasBar }: Props) {
  const say = useWords('deliveries')
  const { ms, budget_ms: budget } = row
  if (ms === null) return null
  const label = took(row, (all, seconds) => say('budget', { ms: all, seconds }))
  return (
    <span className={classes.took} title={label}>
      <span className={classes.tookMs}>{ms} ms</span>
      {budget === null || !hasBar ? null : (
        <BudgetBar
          tookMs={ms}
          budgetMs={budget}
          words={say('ofSeconds', { seconds: budget / MS_PER_SECOND })}
          label={label}
        />
      )}
    </span>
  )
}
