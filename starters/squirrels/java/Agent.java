// Squirrels: the empty square of the largest value. Start your own agent from here.
// javac Agent.java, then java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp DIRECTORY Agent
import java.lang.management.ManagementFactory;
import java.nio.file.*;
import java.util.*;

public class Agent {
    static char[][] board = new char[5][]; // column x, row y: board[y][x]

    static char at(int x, int y) {
        return x < 0 || y < 0 || x > 4 || y > 4 ? '#' : board[y][x];
    }

    static boolean late(double seconds) { // a small part of the clock is used: stop early
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() > seconds / 50 * 1e9;
    }

    public static void main(String[] arguments) throws Exception {
        List<String> lines = Files.readAllLines(Path.of("input.txt"));
        char side = lines.get(1).charAt(0);
        double seconds = Double.parseDouble(lines.get(2).trim()); // for this move (SINGLE) or for the whole game (GAME)
        int[][] ways = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
        int best = -1, x = -1, y = -1;
        for (int row = 0; row < 5; row++) board[row] = lines.get(8 + row).trim().replace('.', '*').toCharArray();
        for (int row = 0; row < 5 && !(x >= 0 && late(seconds)); row++) {
            String[] values = lines.get(3 + row).trim().split(" +");
            for (int column = 0; column < 5; column++) {
                int value = Integer.parseInt(values[column]);
                if (board[row][column] != '*' || value <= best) continue;
                best = value;
                x = column;
                y = row;
            }
        }
        boolean raid = false;
        for (int[] way : ways) raid |= at(x + way[0], y + way[1]) == side;
        for (int[] way : ways) {
            char there = at(x + way[0], y + way[1]);
            if (raid && (there == 'X' || there == 'O')) board[y + way[1]][x + way[0]] = side;
        }
        board[y][x] = side;
        StringBuilder text = new StringBuilder();
        text.append("ABCDE".charAt(x)).append(y + 1).append(raid ? " Raid\n" : " Sneak\n");
        for (char[] row : board) text.append(row).append('\n');
        Files.write(Path.of("output.txt"), text.toString().getBytes());
    }
}
