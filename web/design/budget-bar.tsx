import classes from './budget-bar.module.css'

/** How long something took of the time that somebody waits for it. */
export function BudgetBar({ tookMs, budgetMs, words }: { tookMs: number; budgetMs: number; words: string }) {
  return (
    <span className={classes.budget}>
      <meter className={classes.bar} min={0} max={budgetMs} value={Math.min(tookMs, budgetMs)} aria-label={words} />
      <span className="number">{words}</span>
    </span>
  )
}
