import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type OptionsFilter,
  type VariantColorsResolver,
} from '@mantine/core'
import type { FocusEvent, MouseEvent } from 'react'
import { holds } from '../words/folded.ts'

const SHADES = 10
/** Every shade is the ink of the theme that is on; literal colours stand in tokens.css. */
const INK = Array.from({ length: SHADES }, () => 'var(--ink)') as unknown as MantineColorsTuple

const PLAIN = {
  background: 'transparent',
  hover: 'var(--sunken)',
  color: 'var(--ink)',
  border: '1px solid transparent',
}

/** Buttons are ink on paper or paper on ink; only danger has a colour. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const isDanger = input.color === 'danger'
  const colour = isDanger ? 'var(--c-danger)' : 'var(--ink)'
  switch (input.variant) {
    case 'filled':
      return { background: colour, hover: colour, color: 'var(--on-ink)', border: '1px solid transparent' }
    case 'default':
      return { background: 'var(--surface)', hover: 'var(--sunken)', color: colour, border: '1px solid var(--edge)' }
    case 'light':
    case 'subtle':
    case 'transparent':
      return { ...PLAIN, color: colour }
    default:
      return defaultVariantColorsResolver(input)
  }
}

const EDGE_PX = 8
/** What floats lies inside the window, beside what opened it where there is room, and over it where there is none. */
const WITHIN = { flip: true, shift: { padding: EDGE_PX, crossAxis: true, limiter: { fn: inPlace } } }

function inPlace({ x, y }: { x: number; y: number }): { x: number; y: number } {
  return { x, y }
}

/** What is offered is found in any case and accent. */
const byWords: OptionsFilter = ({ options, search }) =>
  options.flatMap((option): (typeof options)[number][] => {
    if (!('group' in option)) return holds(option.label, search) ? [option] : []
    const items = option.items.filter(({ label }) => holds(label, search))
    return items.length === 0 ? [] : [{ ...option, items }]
  })

/** The library hides the button from keys and from readers of the screen. */
function byKeys(label: string) {
  return { tabIndex: 0, 'aria-hidden': undefined, 'aria-label': label }
}

/** Pickers that a click has just brought the focus to. */
const freshlyFocused = new WeakSet<HTMLInputElement>()

/** Typing into a picker that was just entered replaces what is chosen there; a second click sets the caret. */
const selectText = {
  onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement>) => void freshlyFocused.add(currentTarget),
  onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
    if (freshlyFocused.delete(currentTarget) && !currentTarget.readOnly) currentTarget.select()
  },
}

/** `clear` names the button that empties a picker: it can be reached by keys, and has no words of its own. */
export const themeWith = ({ clear }: { clear: string }) =>
  createTheme({
    primaryColor: 'ink',
    colors: { ink: INK },
    primaryShade: { light: 9, dark: 0 },
    variantColorResolver,
    fontFamily: "'Atkinson Hyperlegible Next Variable', system-ui, sans-serif",
    fontFamilyMonospace: "'Atkinson Hyperlegible Mono Variable', ui-monospace, monospace",
    defaultRadius: 6,
    respectReducedMotion: true,
    fontSizes: { xs: '11px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
    lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
    spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
    components: {
      Button: { defaultProps: { size: 'sm' } },
      // Choosing what is chosen already changes nothing; where it may be none, there is a button for that.
      Select: {
        defaultProps: { allowDeselect: false, filter: byWords, clearButtonProps: byKeys(clear), ...selectText },
      },
      MultiSelect: { defaultProps: { hidePickedOptions: true, filter: byWords } },
      TextInput: { defaultProps: { size: 'sm' } },
      Tooltip: { defaultProps: { openDelay: 400, withArrow: false } },
      // A place that only takes the focus is none that a menu may have; its first entry takes it.
      Menu: { defaultProps: { shadow: 'none', withInitialFocusPlaceholder: false } },
      Popover: { defaultProps: { middlewares: WITHIN } },
    },
  })

/** What parts of the library draw with shades of grey, from light to dark, is drawn with ours. */
const GREYS = ['sunken', 'sunken', 'line', 'line', 'edge', 'ink-3', 'ink-2', 'ink-2', 'ink', 'ink']
const DARKS = ['ink', 'ink-2', 'ink-2', 'ink-3', 'line', 'line', 'raised', 'surface', 'sunken', 'canvas']

function shades(name: 'gray' | 'dark', tokens: readonly string[]): Record<string, string> {
  return Object.fromEntries(tokens.map((token, shade) => [`--mantine-color-${name}-${shade}`, `var(--${token})`]))
}

/** Mantine's own variables, put on ours. */
export const cssVariables: CSSVariablesResolver = () => {
  const variables = {
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-2)',
    '--mantine-color-placeholder': 'var(--ink-3)',
    '--mantine-color-anchor': 'var(--c-person)',
    '--mantine-color-error': 'var(--c-danger)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--sunken)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--edge)',
    '--mantine-color-disabled': 'var(--sunken)',
    '--mantine-color-disabled-color': 'var(--ink-3)',
    '--mantine-primary-color-filled': 'var(--ink)',
    '--mantine-primary-color-contrast': 'var(--on-ink)',
    ...shades('gray', GREYS),
    ...shades('dark', DARKS),
  }
  return { variables: {}, light: variables, dark: variables }
}
