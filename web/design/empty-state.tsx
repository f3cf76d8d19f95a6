import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

/** One sentence, which is the title where nothing else is on the page, and at most two things one can do. */
export function EmptyState({
  title,
  detail,
  isPage = false,
  children,
}: {
  title: string
  detail?: string | undefined
  isPage?: boolean
  children?: ReactNode
}) {
  const Title = isPage ? 'h1' : 'p'
  return (
    <div className={classes.empty} role="status">
      <Title className={classes.title}>{title}</Title>
      {detail === undefined ? null : <p className="dim">{detail}</p>}
      {children === undefined ? null : <div className={classes.actions}>{children}</div>}
    </div>
  )
}
