import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { listQuery } from '../data/queries.ts'
import { nameOrId } from '../words/formats.ts'
import { currentLanguage, useWords } from '../words/words.ts'
import { countriesIn, countriesMatching } from './country-names.ts'
import { holdEnter, type LinkProps } from './link-picker.tsx'

const COUNTRIES_MAX = 300

/** Chooses a country by its name in the language of the page, or in English. */
export function CountryPicker({ value, onChange, ...props }: Omit<LinkProps, 'model' | 'domain'>) {
  const say = useWords('records')
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { data: rows, isPending } = useQuery(
    listQuery('res.country', { fields: ['name', 'code'], order: 'name', limit: COUNTRIES_MAX }),
  )
  const language = currentLanguage()
  const countries = useMemo(
    () =>
      countriesIn(
        language,
        (rows ?? []).map(({ id, name, code }) => ({ id, name: name ?? '', code: code ?? '' })),
      ),
    [language, rows],
  )
  const [id, stored] = Array.isArray(value) ? [Number(value[0]), String(value[1])] : [value, undefined]
  const chosen = countries.find((country) => country.id === id)?.name ?? stored
  const isSearching = isOpen && text !== '' && text !== chosen
  const shown = isSearching ? countriesMatching(countries, text) : countries
  const options = shown.map((country) => ({ value: String(country.id), label: country.name }))
  const isListed = typeof id !== 'number' || options.some((option) => option.value === String(id))
  return (
    <Select
      {...props}
      searchable
      disabled={isPending}
      clearable={props.withAsterisk !== true}
      placeholder={props.placeholder ?? say('choose')}
      selectFirstOptionOnChange={isSearching}
      onKeyDownCapture={holdEnter({ isOpen, isLooking: isPending, isSearching })}
      nothingFoundMessage={say('nobody')}
      filter={({ options: all }) => all}
      data={isListed ? options : [{ value: String(id), label: nameOrId(chosen, id, isPending) }, ...options]}
      value={typeof id === 'number' ? String(id) : null}
      onSearchChange={setText}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onChange={(next, option) => onChange(next === null ? null : [Number(next), option.label])}
    />
  )
}
