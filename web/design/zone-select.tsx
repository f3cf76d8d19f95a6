import { Select } from '@mantine/core'
import { reader } from '../words/words.ts'
import { zoneName } from '../words/zones.ts'
import { zonesMatching } from '../words/zones-matching.ts'

const ZONES = Intl.supportedValuesOf('timeZone')
const ZONES_SHOWN = 50

interface Props {
  label?: string
  'aria-label'?: string
  description?: string | undefined
  placeholder?: string
  error?: string | undefined
  withAsterisk?: boolean
  isClearable?: boolean
  value: string | null
  onChange: (zone: string | null) => void
}

/** A time zone, found in the list of them by a part of its name and never typed. One that the browser does not know is kept. */
export function ZoneSelect({ isClearable = false, value, ...props }: Props) {
  const { language } = reader()
  const zones = value === null || ZONES.includes(value) ? ZONES : [value, ...ZONES]
  return (
    <Select
      {...props}
      data={zones.map((zone) => ({ value: zone, label: zoneName(zone, language) }))}
      filter={({ search, limit }) =>
        zonesMatching(zones, search, language)
          .slice(0, limit)
          .map((zone) => ({ value: zone, label: zoneName(zone, language) }))
      }
      limit={ZONES_SHOWN}
      searchable
      selectFirstOptionOnChange
      clearable={isClearable && value !== null}
      value={value}
    />
  )
}
