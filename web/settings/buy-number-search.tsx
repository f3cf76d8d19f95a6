import { Select, Switch, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { sentenceOf } from '../data/errors.ts'
import { Button, Form } from '../design/press.tsx'
import { phone } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import {
  countryName,
  type NumberSearch,
  type Offered,
  priceOf,
  useCountriesOfNumbers,
  useNumbersForSale,
} from './numbers-for-sale.ts'
import classes from './settings.module.css'

type Kind = NumberSearch['kind']
const KIND_WORDS = { local: 'kindLocal', mobile: 'kindMobile', toll_free: 'kindTollFree' } as const
const COUNTRIES_SHOWN = 50

/** Where the number is to be and what it is to take, and the numbers that fit. */
export function BuySearch({ onChoose }: { onChoose: (offered: Offered) => void }) {
  const say = useWords('settings')
  const { data: countries = [], error: trouble } = useCountriesOfNumbers()
  const [country, setCountry] = useState<string | null>(null)
  const [kind, setKind] = useState<Kind>('local')
  const [search, setSearch] = useState<NumberSearch>()
  const { data: found, error, isFetching } = useNumbersForSale(search)
  const kinds = countries.find(({ code }) => code === country)?.kinds ?? []
  const wanted = kinds.includes(kind) ? kind : kinds[0]
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    if (country === null || wanted === undefined) return
    const given = new FormData(event.currentTarget)
    const area = String(given.get('area') ?? '').trim() || null
    setSearch({ country, kind: wanted, area, voice: given.has('voice'), sms: given.has('sms') })
  }
  const refusal = trouble ?? error
  return (
    <>
      <Form className={classes.form} onSubmit={submit}>
        <Select
          label={say('country')}
          data={countries
            .map(({ code }) => ({ value: code, label: countryName(code) }))
            .toSorted((one, other) => one.label.localeCompare(other.label))}
          limit={COUNTRIES_SHOWN}
          searchable
          selectFirstOptionOnChange
          allowDeselect={false}
          value={country}
          onChange={setCountry}
          data-autofocus
        />
        <Select
          label={say('numberKind')}
          disabled={country === null}
          data={kinds.map((each) => ({ value: each, label: say(KIND_WORDS[each]) }))}
          allowDeselect={false}
          value={wanted ?? null}
          onChange={(next) => setKind((next as Kind | null) ?? 'local')}
        />
        <TextInput name="area" label={say('area')} description={say('areaSays')} autoComplete="off" />
        <div className={classes.confirm}>
          <Switch name="voice" label={say('takesCalls')} defaultChecked />
          <Switch name="sms" label={say('takesTexts')} />
        </div>
        <div className={classes.actions}>
          <Button type="submit" loading={isFetching} disabled={country === null}>
            {say('searchNumbers')}
          </Button>
        </div>
      </Form>
      <p role="alert" className={classes.problem}>
        {refusal === null ? null : sentenceOf(refusal)}
      </p>
      {found === undefined || search === undefined || error !== null ? null : (
        <Offers
          offers={found.numbers.map((number) => ({ ...search, number, monthly: found.monthly }))}
          onChoose={onChoose}
        />
      )}
    </>
  )
}

function Offers({ offers, onChoose }: { offers: readonly Offered[]; onChoose: (offered: Offered) => void }) {
  const say = useWords('settings')
  if (offers.length === 0) return <p role="status">{say('noneForSale')}</p>
  return (
    <>
      <p role="status">{say('forSale', { count: offers.length })}</p>
      <ul className={classes.rows}>
        {offers.map((offered) => (
          <li key={offered.number.number} className={classes.row}>
            <span className={classes.grow}>
              <strong>{phone(offered.number.number)}</strong> <Facts offered={offered} />
            </span>
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => onChoose(offered)}
              aria-label={say('chooseNumber', { number: phone(offered.number.number) })}
            >
              {say('choose')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Where a number is, what it takes, what it costs, and what it wants. */
function Facts({ offered: { number, monthly } }: { offered: Offered }) {
  const say = useWords('settings')
  const facts = [
    [number.locality, number.region].filter(Boolean).join(', '),
    [number.voice ? say('takesCalls') : '', number.sms ? say('takesTexts') : ''].filter(Boolean).join(', '),
    monthly === null ? say('priceUnknown') : say('eachMonth', { price: priceOf(monthly) }),
    number.address_requirements === 'none' ? '' : say('needsAddress'),
    number.beta ? say('isBeta') : '',
  ]
  return <span className="dim">{facts.filter((fact) => fact !== '').join(' · ')}</span>
}
