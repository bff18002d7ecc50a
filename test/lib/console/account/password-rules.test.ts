import { expect, test } from 'vitest';
import { isGoodPassword } from '../../../../lib/console/account/password-rules.ts';
import { isStrong } from '../../../../lib/sign-in/passwords/password-rules.ts';

test('The page accepts the passwords that the service accepts', () => {
  const passwords = [
    ...[
      '',
      'short',
      'Weather-report-22',
      'weather-report-22',
      'WEATHER-REPORT-22',
      'Weather-report',
      'Weatherreport22',
    ],
    ...['Weather-repooort-22', 'Wäther-Reporté-2', 'Пароль-длинный-2', 'Zürich und Bern 4', `A-1${'bc'.repeat(63)}`],
    ...[`A-1${'bc'.repeat(62)}`, 'Weather-r٣port-x'],
  ];
  expect(passwords.map(isGoodPassword)).toEqual(passwords.map(isStrong));
});
