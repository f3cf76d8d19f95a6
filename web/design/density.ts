/** How close the rows of lists stand. */
export const DENSITIES = ['dense', 'normal', 'wide'] as const
export type Density = (typeof DENSITIES)[number]

const STORED = 'connect.density'
const ROW_PX: Readonly<Record<Density, number>> = { dense: 32, normal: 38, wide: 46 }

export function currentDensity(): Density {
  return DENSITIES.find((each) => each === localStorage.getItem(STORED)) ?? 'normal'
}

/** Takes what somebody has chosen; anything else is what it was. */
export function followDensity(chosen: unknown): void {
  const density = DENSITIES.find((each) => each === chosen)
  if (density !== undefined) localStorage.setItem(STORED, density)
}

/** Height of a row. */
export function rowPx(): number {
  return ROW_PX[currentDensity()]
}
