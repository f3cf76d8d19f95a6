import { Skeleton } from '@mantine/core'

const WIDTHS = ['40%', '90%', '80%', '85%', '70%']

/** The lines of a page that is being loaded. */
export function Skeletons() {
  return (
    <div aria-busy="true" style={{ padding: 24 }}>
      {WIDTHS.map((width) => (
        <Skeleton key={width} height={14} width={width} mb={14} radius={4} animate={false} />
      ))}
    </div>
  )
}
