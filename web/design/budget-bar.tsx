import classes from './budget-bar.module.css'

interface Props {
  tookMs: number
  budgetMs: number
  /** Shown behind the bar. */
  words: string
  /** What the bar says to everybody who does not see it, where that is more than the words. */
  label?: string
}

/** How long something took of the time that somebody waits for it. */
export function BudgetBar({ tookMs, budgetMs, words, label = words }: Props) {
  return (
    <span className={classes.budget}>
      <meter className={classes.bar} min={0} max={budgetMs} value={Math.min(tookMs, budgetMs)} aria-label={label} />
      <span className={classes.words}>{words}</span>
    </span>
  )
}
