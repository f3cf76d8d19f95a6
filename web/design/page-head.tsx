import { type ReactNode, useEffect } from 'react'
import { LiveSign } from './live-sign.tsx'
import classes from './page-head.module.css'

/** The title of a page, also in the window's, and its buttons. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Connect`
  }, [title])
  return (
    <header className={classes.head}>
      <h1 className={classes.title}>{title}</h1>
      <div className={classes.actions}>{children}</div>
      <LiveSign />
    </header>
  )
}
