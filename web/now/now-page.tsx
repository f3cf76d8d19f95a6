import { PageHead } from '../design/page-head.tsx'
import { SetUpNotice } from '../records/set-up-notice.tsx'
import { useWords } from '../words/words.ts'
import { CallBack } from './call-back.tsx'
import { LiveCalls } from './live-calls.tsx'
import { NeedsLook } from './needs-look.tsx'
import classes from './now.module.css'
import { Today } from './today.tsx'

/** Who is on the line, who waits to be called back, and today in figures. */
export function NowPage() {
  const say = useWords('now')
  return (
    <>
      <PageHead title={say('title')} />
      <div className={classes.page}>
        <SetUpNotice />
        <LiveCalls />
        <div className={classes.halves}>
          <CallBack />
          <div className={classes.half}>
            <Today />
            <NeedsLook />
          </div>
        </div>
      </div>
    </>
  )
}
