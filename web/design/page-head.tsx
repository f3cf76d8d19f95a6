import { type ReactNode, useEffect } from 'react'
import { LiveSign } from './live-sign.tsx'
import classes from './page-head.module.css'

/** The title of a page, also in the window's, what is to be known of it first, and its buttons. */
export function PageHead({
  title,
  mark,
  children,
}: {
  title: string
  mark?: string | undefined
  children?: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Connect`
  }, [title])
  return (
    <header className={classes.head}>
      <h1 className={classes.title}>{title}</h1>
      {mark === undefined ? null : <span className={classes.mark}>{mark}</span>}
      <div className={classes.actions}>{children}</div>
      <LiveSign />
    </header>
  )
}
