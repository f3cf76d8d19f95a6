import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

/** One sentence, and at most two things one can do. */
export function EmptyState({
  title,
  detail,
  children,
}: {
  title: string
  detail?: string | undefined
  children?: ReactNode
}) {
  return (
    <div className={classes.empty} role="status">
      <p className={classes.title}>{title}</p>
      {detail === undefined ? null : <p className="dim">{detail}</p>}
      {children === undefined ? null : <div className={classes.actions}>{children}</div>}
    </div>
  )
}
