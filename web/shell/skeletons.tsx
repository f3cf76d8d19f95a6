import { Skeleton } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useWords } from '../words/words.ts'

const WIDTHS = ['40%', '90%', '80%', '85%', '70%']
/** So long nobody wonders whether something is wrong. */
const LATE_MS = 5_000

/** The lines of a page that is being loaded; a word below them once that takes long. */
export function Skeletons() {
  const say = useWords('shell')
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div aria-busy="true" style={{ padding: 24 }}>
      {WIDTHS.map((width) => (
        <Skeleton key={width} height={14} width={width} mb={14} radius={4} animate={false} />
      ))}
      <p role="status" className="dim">
        {isLate ? say('stillLoading') : null}
      </p>
    </div>
  )
}
