import { encode } from 'uqr'
import classes from './qr-code.module.css'

const SIDE_PX = 192

/** A text for a camera, drawn as one path; anyone who has no camera reads it elsewhere. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 })
  const dots = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      role="img"
      aria-label={label}
      className={classes.code}
      width={SIDE_PX}
      height={SIDE_PX}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={dots.join('')} />
    </svg>
  )
}
